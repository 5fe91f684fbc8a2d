import type { Row } from '../row.ts'
import { installPython, pythonProject } from './python-project.ts'

/** Python with httpx and attrs, by openapi-python-client. */
export const openapiPythonClient: Row = {
  ...pythonProject,
  name: 'openapi-python-client',
  generator: 'openapi-python-client',
  version: '0.29.1',
  generateNeeds: pythonProject.needs,
  generate: (document) => [
    ...installPython('openapi-python-client'),
    ['.venv/bin/openapi-python-client', 'generate', '--path', document, '--output-path', 'client'],
  ],
  onWire: {
    script: 'first_script.py',
    spelled: {
      'from thing_synchronisation_client.api.thingsync import get_sync, grant_token, post_sync':
        'from thing_synchronisation_client.api.sync import get_sync, post_sync\nfrom thing_synchronisation_client.api.token import grant_token',
    },
  },
}
