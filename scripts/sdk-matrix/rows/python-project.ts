import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Command, Row } from '../row.ts'

const python = '.venv/bin/python'

/** Installs packages into the work folder's own environment, at the versions that the row's `constraints.txt` pins. */
export const installPython = (...packages: readonly string[]): readonly Command[] => [
  ['python3', '-m', 'venv', '.venv'],
  [python, '-m', 'pip', 'install', '--quiet', '--constraint', 'constraints.txt', ...packages],
]

/** How a first script in Python is run, with the package that was generated into `client`. */
export const pythonProject = {
  language: 'Python',
  needs: toolchains.python?.needs ?? [],
  build: installPython('./client'),
  run: [python, 'first_script.py'],
  keep: ['.venv'],
} satisfies Partial<Row>
