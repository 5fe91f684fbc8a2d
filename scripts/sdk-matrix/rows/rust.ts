import { generatorVersion } from '../../sdk/generator-jar.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateWithJar, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Rust with reqwest, by openapi-generator. */
export const rust: Row = {
  name: 'rust',
  generator: 'openapi-generator rust',
  version: generatorVersion,
  language: 'Rust',
  generateNeeds: javaToGenerate,
  generate: generateWithJar('rust'),
  needs: toolchains.rust?.needs ?? [],
  build: [['cargo', 'build', '--quiet']],
  run: ['target/debug/first-script'],
  keep: ['target', 'Cargo.lock'],
  onWire: {
    script: 'src/main.rs',
    spelled: {
      '"n1".into()': 'Box::new(openapi::models::ThingCreateLocalId::String("n1".into()))',
      'post_sync(&api, upload)': 'post_sync(&api, Some(upload))',
      'post_sync(&api, change)': 'post_sync(&api, Some(change))',
      'post_sync(&api, removal)': 'post_sync(&api, Some(removal))',
    },
  },
}
