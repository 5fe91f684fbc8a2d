import type { Logger } from 'pino'
import { type Certificate, type CertificateFiles, CertificateRefused, readCertificate } from './certificate.ts'

const intervalMilliseconds = 10_000

/** Keeps a server's certificate the one that is in the files. */
export interface CertificateWatch {
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
      if (!(error instanceof CertificateRefused)) throw error
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
  const timer = setInterval(look, intervalMilliseconds).unref()
  return { look, close: () => clearInterval(timer) }
}
