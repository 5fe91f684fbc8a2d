import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Rust with reqwest, by openapi-generator. */
export const rust: Row = {
  name: 'rust',
  generator: 'openapi-generator rust',
  version: generatorVersion,
  language: 'Rust',
  generateNeeds: javaToGenerate,
  generate: generateByFront('rust'),
  needs: toolchains.rust?.needs ?? [],
  build: [['cargo', 'build', '--quiet']],
  run: ['target/debug/first-script'],
  keep: ['target', 'Cargo.lock'],
  // A field that may be null is an option of an option there.
  onWire: {
    script: 'src/main.rs',
    spelled: {
      'use openapi::models::{SyncRequest, ThingCreate, ThingUpdate};':
        'use openapi::models::{SyncRequest, ThingCreate, ThingCreateLocalId, ThingUpdate};',
      'ThingCreate::new("n1".into(), "Buy milk 🥛".into())':
        'ThingCreate::new(ThingCreateLocalId::String("n1".into()), "Buy milk 🥛".into())',
      '.from = Some(0);': '.from = Some(Some(0));',
      '.from = Some(listing.pos);': '.from = Some(Some(listing.pos));',
      '.from = Some(delta.pos);': '.from = Some(Some(delta.pos));',
      '_thing = Some(vec![ThingCreate': '_thing = Some(Some(vec![ThingCreate',
      '_thing = Some(vec![ThingUpdate': '_thing = Some(Some(vec![ThingUpdate',
      '_thing = Some(vec![thing_id]);': '_thing = Some(Some(vec![thing_id]));',
      '"Buy milk 🥛".into())]);': '"Buy milk 🥛".into())]));',
      '"Buy oat milk".into())]);': '"Buy oat milk".into())]));',
      'post_sync(&api, upload)': 'post_sync(&api, Some(upload))',
      'post_sync(&api, change)': 'post_sync(&api, Some(change))',
      'post_sync(&api, removal)': 'post_sync(&api, Some(removal))',
    },
  },
}
