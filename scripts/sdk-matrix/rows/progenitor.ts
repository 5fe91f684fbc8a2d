import { toolFolder } from '../../outside-tools/tool-folder.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Row } from '../row.ts'

const version = '0.15.1'
const root = toolFolder('cargo-progenitor', version)
const needs = toolchains.rust?.needs ?? []

/** Rust with reqwest, by progenitor. It generates from neither document, so there is no first script. */
export const progenitor: Row = {
  name: 'progenitor',
  generator: 'progenitor',
  version,
  language: 'Rust',
  generateNeeds: needs,
  generate: (document) => [
    ['cargo', 'install', 'cargo-progenitor', '--version', version, '--locked', '--quiet', '--root', root],
    [
      ...[`${root}/bin/cargo-progenitor`, 'progenitor', '--input', document, '--output', 'client'],
      ...['--name', 'thingsync-client', '--version', '1.0.0'],
    ],
  ],
  needs,
  build: [['cargo', 'build', '--quiet', '--manifest-path', 'client/Cargo.toml']],
  reasons: [
    {
      printed: /assertion failed: response_types\.len\(\) <= 1/,
      because: 'it knows no operation that answers one type with 200 and another as `default`',
    },
    {
      printed: /more media types than expected/,
      because: 'it knows no body of two content types',
    },
  ],
}
