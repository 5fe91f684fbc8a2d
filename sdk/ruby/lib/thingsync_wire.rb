# frozen_string_literal: true

require 'json'
require 'uri'
require 'thingsync_client'

# Writes the generated client's requests as a server of the interface takes them.
module ThingsyncWire
  FORM = 'application/x-www-form-urlencoded'

  # A value as one field of a form: objects as JSON, whole numbers without a fraction.
  def self.as_text(value)
    return value if value.is_a?(String)
    return value.to_i.to_s if value.is_a?(Float) && value == value.floor

    JSON.generate(value)
  end

  # The pairs of a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated, maps
  # as +name[key]+.
  def self.write_form(fields)
    fields.flat_map do |name, value|
      case value
      when nil then []
      when Hash then value.map { |key, member| ["#{name}[#{key}]", as_text(member)] }
      when Array
        if value.size != 1 && value.all?(String) then value.map { |item| ["#{name}[]", item] }
        else [[name, as_text(value.size == 1 ? value[0] : value)]]
        end
      else [[name, as_text(value)]]
      end
    end
  end

  # An API at a base address (with the version segment), with an access token if there is one.
  def self.open(base_url, access_token = nil, **options)
    base = URI(base_url)
    configuration = ThingsyncClient::Configuration.new
    configuration.scheme = base.scheme
    configuration.host = "#{base.host}:#{base.port}"
    configuration.base_path = base.path
    configuration.server_index = nil
    configuration.access_token = access_token
    ThingsyncClient::ThingsyncApi.new(Client.new(configuration, **options))
  end

  # An ApiClient whose bodies are forms (+form+, the default, works with every server) or JSON (+json+, where the server's
  # document offers it), and whose access token goes into the header (+bearer+, the default, or +pair+ for
  # <tt>access_token=T</tt>), the +query+ or the +body+ (of a GET: the query).
  class Client < ThingsyncClient::ApiClient
    def initialize(configuration, bodies: 'form', token: 'bearer')
      super(configuration)
      @bodies = bodies
      @token = token
    end

    def build_request(http_method, path, opts = {})
      headers = (opts[:header_params] || {}).dup
      query = (opts[:query_params] || {}).dup
      body = opts[:body] && JSON.parse(opts[:body])
      place_token(headers, query, body) if (opts[:auth_names] || []).any?
      if body && @bodies == 'form'
        headers['Content-Type'] = FORM
        body = URI.encode_www_form(ThingsyncWire.write_form(body))
      end
      request = super(http_method, path, opts.merge(header_params: headers, query_params: query, auth_names: []))
      request.options[:body] = body.is_a?(Hash) ? JSON.generate(body) : body if body
      # A redirect could send a password or token to another server.
      request.options[:followlocation] = false
      # libcurl repeats a request by itself when a kept connection breaks; an upload would then create things twice.
      request.options[:fresh_connect] = true if body
      request
    end

    # Reads a response. An error that comes with a success status gets the code 400.
    # @raise [ThingsyncClient::ApiError] when the body is not of the interface
    def deserialize(response, return_type)
      raise error_of(400, response) if error?(response.body)

      value = super
      value.nil? ? raise(error_of(response.code, response)) : value
    rescue JSON::ParserError, RuntimeError, ArgumentError
      raise error_of(response.code, response)
    end

    private

    def error_of(code, response)
      ThingsyncClient::ApiError.new(code: code, response_headers: response.headers, response_body: response.body)
    end

    # Errors are short.
    def error?(text)
      return false if text.nil? || text.bytesize > 65_536

      body = JSON.parse(text)
      body.is_a?(Hash) && body['error'].is_a?(String)
    rescue JSON::ParserError
      false
    end

    def place_token(headers, query, body)
      access_token = config.access_token
      return if access_token.nil?

      case @token
      when 'bearer' then headers['Authorization'] = "Bearer #{access_token}"
      when 'pair' then headers['Authorization'] = "access_token=#{access_token}"
      else (@token == 'body' && body || query).store(@token == 'body' && body ? 'access_token' : :access_token, access_token)
      end
    end
  end
end
