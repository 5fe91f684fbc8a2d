# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = 'thingsync_client'
  spec.version = '1.0.0'
  spec.summary = 'Generated client of the thing synchronisation interface'
  spec.authors = ['the thingsync project']
  spec.license = 'MIT'
  spec.required_ruby_version = '>= 3.0'
  spec.files = Dir['lib/**/*.rb'] + %w[README.md LICENSE]
  spec.metadata = { 'rubygems_mfa_required' => 'true' }
  spec.add_runtime_dependency 'typhoeus', '~> 1.4'
end
