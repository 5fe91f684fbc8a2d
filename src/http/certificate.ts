import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

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
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused'
}

/** Reads certificate and key. @throws CertificateRefused when one is missing, no PEM, or they do not belong together */
export const readCertificate = async (files: CertificateFiles): Promise<Certificate> => {
  const cert = await readPart('tls_cert', files.cert)
  const key = await readPart('tls_key', files.key)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new CertificateRefused(
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
    throw new CertificateRefused(`${name}: ${path} cannot be read (${error.code})`)
  }
}
