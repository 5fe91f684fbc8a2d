import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** C# with System.Net.Http, by openapi-generator; tried on no machine yet that can compile it, so there is no first script. */
export const csharp: Row = {
  name: 'csharp',
  generator: 'openapi-generator csharp',
  version: generatorVersion,
  language: 'C#',
  generateNeeds: javaToGenerate,
  generate: generateByFront('csharp'),
  needs: [
    { program: 'dotnet', version: ['--version'], install: '.NET SDK 8 or later, from its vendor: Debian has none' },
  ],
  build: [['dotnet', 'build', 'client', '--nologo']],
}
