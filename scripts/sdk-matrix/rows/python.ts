import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'
import { pythonProject } from './python-project.ts'

/** Python with urllib3 and pydantic, by openapi-generator. */
export const python: Row = {
  ...pythonProject,
  name: 'python',
  generator: 'openapi-generator python',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByFront('python', { packageName: 'thingsync_client' }),
  onWire: {
    script: 'first_script.py',
    spelled: {
      'ThingCreate, ThingsyncApi': 'ThingCreate, ThingCreateLocalId, ThingsyncApi',
      'local_id="n1"': 'local_id=ThingCreateLocalId("n1")',
    },
  },
}
