import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'

/** Files in PEM form: the certificate with those that it depends on, and its private key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate that can be used: it was read as a whole, and the key is its own. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Files that cannot be used for TLS; the message is a sentence for the operator. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/** Reads certificate and key. @throws CertificateError when one is missing, no PEM, or they do not belong together */
export const readCertificate = async (files: CertificateFiles): Promise<Certificate> => {
  const cert = await readPart('tls_cert', files.cert)
  const key = await readPart('tls_key', files.key)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new CertificateError(
      `tls_cert: ${files.cert} and ${files.key} cannot be used (${why}); they must be a certificate and its key, in PEM form`,
    )
  }
  return { cert, key }
}

const readPart = async (name: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CertificateError(`${name}: ${path} cannot be read (${error.code})`)
  }
}

const checkMilliseconds = 10_000

/** Keeps a server's certificate the one that is in the files. */
interface CertificateWatch {
  /** Looks now; resolves when what was found is in use, or named in the log. */
  readonly look: () => Promise<void>
  readonly close: () => void
}

/**
 * Looks every 10 s whether the files hold another certificate than the one in use, and gives that to `use`. What cannot be
 * used, as when only one of the two files was replaced yet, is named once in the log and tried again; the one in use stays.
 * Contents are compared: links, network file systems and copies that keep times need no care.
 */
export const watchCertificate = (
  files: CertificateFiles,
  inUse: Certificate,
  { use, log }: { readonly use: (certificate: Certificate) => void; readonly log: Pick<Logger, 'info' | 'warn'> },
): CertificateWatch => {
  let current = inUse
  let said = ''
  const lookOnce = async (): Promise<void> => {
    try {
      const found = await readCertificate(files)
      said = ''
      if (found.cert === current.cert && found.key === current.key) return
      use(found)
      current = found
      log.info({ tls_cert: files.cert }, 'the certificate was read again; new connections get it')
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      if (error.message !== said) log.warn(`${error.message}; the certificate of before stays in use`)
      said = error.message
    }
  }
  // One after the other, so that an older look never ends after a newer one.
  let looking = Promise.resolve()
  const look = (): Promise<void> => {
    looking = looking.then(lookOnce)
    return looking
  }
  const timer = setInterval(look, checkMilliseconds).unref()
  return { look, close: () => clearInterval(timer) }
}
