import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'

/** Paths of two PEM files: the certificate chain and its private key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate chain and its matching private key, as PEM text. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Thrown when files cannot be used for TLS. The message is a sentence for the administrator. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/**
 * Reads certificate and key.
 * @throws CertificateError when a file is missing or no PEM, or when the two do not match
 */
export const readCertificate = async (files: CertificateFiles): Promise<Certificate> => {
  const cert = await readPart('tls_cert', files.cert)
  const key = await readPart('tls_key', files.key)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new CertificateError(
      `tls_cert: ${files.cert} and ${files.key} cannot be used (${reason}); they must be a certificate and its key, in PEM form`,
    )
  }
  return { cert, key }
}

const readPart = async (name: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CertificateError(`${name}: ${path} cannot be read (${error.code}); check its path and permissions`)
  }
}

const checkMilliseconds = 10_000

/** Keeps a server's certificate equal to the one in the files. */
interface CertificateWatch {
  /** Checks the files now. Resolves when a new certificate is in use, or when the log names the problem. */
  readonly check: () => Promise<void>
  readonly close: () => void
}

/**
 * Checks every 10 s whether the files hold another certificate than the one in use, and passes a new one to `use`.
 * Files may be unusable, for example while only one of the two is replaced. Then the log names them once, the previous
 * certificate stays in use, and the next check tries again.
 * The check compares contents, so it also works with links, network file systems and copies that keep their times.
 */
export const watchCertificate = (
  files: CertificateFiles,
  inUse: Certificate,
  { use, log }: { readonly use: (certificate: Certificate) => void; readonly log: Pick<Logger, 'info' | 'warn'> },
): CertificateWatch => {
  let current = inUse
  let lastWarning = ''
  const checkOnce = async (): Promise<void> => {
    try {
      const found = await readCertificate(files)
      lastWarning = ''
      if (found.cert === current.cert && found.key === current.key) return
      use(found)
      current = found
      log.info({ tls_cert: files.cert }, 'the certificate was read again; new connections use it')
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      if (error.message !== lastWarning) log.warn(`${error.message}; the previous certificate stays in use`)
      lastWarning = error.message
    }
  }
  // Checks run one after the other, so that an older check never ends after a newer one.
  let checking = Promise.resolve()
  const check = (): Promise<void> => {
    checking = checking.then(checkOnce)
    return checking
  }
  const timer = setInterval(check, checkMilliseconds).unref()
  return { check, close: () => clearInterval(timer) }
}
