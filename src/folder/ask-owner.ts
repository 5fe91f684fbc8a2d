import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { sealJson, unsealJson } from '../seal.ts'
import type { Control } from './control-file.ts'

/** `claiming`: asks whether another owns the folder; `owner`: takes commands; `leaving`: about to release the folder. */
export type OwnerState = 'claiming' | 'owner' | 'leaving'

/** Who owns a folder, in the owner's own words. A ticket is good for one command. */
export interface Owner {
  readonly pid: number
  readonly state: OwnerState
  readonly folder: Control['folder']
  readonly ticket: string
}

// Lists of all users of a large server are longer than any question.
const maxAnswerCharacters = 64 * 1024 * 1024

/** The owner of this folder that listens on a port of 127.0.0.1; undefined when it does not answer within 5 s. */
export async function askPort(control: Control, port: number): Promise<Owner | undefined> {
  const answer = await postSealed(control, port, '/owner', {}, 5)
  if (typeof answer === 'string') return undefined
  const owner = answer.value as Owner
  const { path, device, inode } = control.folder
  const isThisFolder = owner.folder.path === path || (owner.folder.device === device && owner.folder.inode === inode)
  return isThisFolder ? owner : undefined
}

/**
 * Posts a value to whoever sits on a port and gives the sealed answer, or why there is none; `cut off` when the
 * connection ended before an answer began. A value that was unsealed was made by a holder of the folder's key, so its
 * shape is trusted.
 */
export async function postSealed(
  control: Control,
  port: number,
  path: '/owner' | '/command',
  value: object,
  waitSeconds: number,
): Promise<{ readonly value: unknown } | 'nobody' | 'stranger' | 'silent' | 'cut off'> {
  const nonce = randomUUID()
  const signal = AbortSignal.timeout(waitSeconds * 1000)
  let hasBegun = false
  try {
    const question = sealJson(control.key, `ask ${path}`, { ...value, nonce })
    const text = await post(port, path, question, signal, () => {
      hasBegun = true
    })
    const opened = unsealJson(control.key, `answer ${nonce}`, text)
    return opened === undefined ? 'stranger' : { value: opened }
  } catch (error) {
    if (signal.aborted) return 'silent'
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // A sandbox may have no network at all, not even its own.
    if (code === 'ECONNREFUSED' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return 'nobody'
    if (code === 'ECONNRESET' || code === 'EPIPE') return hasBegun ? 'stranger' : 'cut off'
    if (code === 'tooLong' || code.startsWith('HPE_')) return 'stranger'
    throw error
  }
}

function post(port: number, path: string, body: string, signal: AbortSignal, onBeginning: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', signal, agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      onBeginning()
      let text = ''
      response.setEncoding('latin1')
      response.on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxAnswerCharacters)
          response.destroy(Object.assign(new Error('too long'), { code: 'tooLong' }))
      })
      response.on('end', () => resolve(text))
    })
    sent.end(body)
  })
}
