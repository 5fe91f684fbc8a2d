import { frontCommand } from '../sdk/pinned-generator.ts'
import type { Command } from './row.ts'

/** What openapi-generator itself needs. */
export const javaToGenerate = [
  { program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' },
]

// The last makes models of forms too: a body that may be a form imports its schema, which some languages do not make otherwise.
const parts = ['apiDocs=false', 'modelDocs=false', 'apiTests=false', 'modelTests=false', 'skipFormModel=false']

/**
 * The command that generates with openapi-generator, as its documents say: one API class for all operations, which the
 * normalizer's SET_TAGS_FOR_ALL_OPERATIONS gives, so that one script fits both documents.
 */
export const generateByFront =
  (name: string, properties: Readonly<Record<string, string>> = {}) =>
  (document: string): readonly Command[] => [
    frontCommand([
      'generate',
      ...['--input-spec', document, '--generator-name', name, '--output', 'client'],
      ...['--openapi-normalizer', 'SET_TAGS_FOR_ALL_OPERATIONS=thingsync'],
      ...['--global-property', parts.join(',')],
      ...Object.entries({ hideGenerationTimestamp: 'true', ...properties }).flatMap((pair) => [
        '--additional-properties',
        pair.join('='),
      ]),
    ]),
  ]
