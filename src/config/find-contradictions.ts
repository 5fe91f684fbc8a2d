import type { Settings } from './settings-table.ts'
import { isDatabaseUrl } from './store-place.ts'

/** What is wrong about settings that are each fit for themselves; a sentence for each problem. */
export function findContradictions(settings: Settings): readonly string[] {
  const { socket, baseUrl, tlsCert, tlsKey, backupEvery, backupFolder, backupCommand, store, listenUrl } = settings
  const { oidcIssuer, oidcClientId } = settings
  const problems: string[] = []
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [given, missing] = tlsCert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key']
    problems.push(`${given}: needs ${missing}, too: a certificate and its key go together`)
  }
  if (socket !== undefined && baseUrl === undefined) {
    problems.push('socket: needs base_url, too: nobody can tell by a path which address clients use')
  }
  if (socket !== undefined && tlsCert !== undefined) {
    problems.push('socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate')
  }
  if (backupEvery !== undefined && (backupFolder === undefined) === (backupCommand === undefined)) {
    problems.push('backup_every: needs either backup_folder or backup_command')
  }
  if (listenUrl !== undefined && !isDatabaseUrl(store)) {
    problems.push('listen_url: needs a database as store, too')
  }
  if ((oidcIssuer === undefined) !== (oidcClientId === undefined)) {
    const [given, missing] =
      oidcIssuer === undefined ? ['oidc_client_id', 'oidc_issuer'] : ['oidc_issuer', 'oidc_client_id']
    problems.push(`${given}: needs ${missing}, too: a provider knows this server by its client id`)
  }
  if (oidcIssuer !== undefined && baseUrl === undefined) {
    problems.push(
      'oidc_issuer: needs base_url, too: the provider leads people back to the one address that it was given',
    )
  }
  return problems
}
