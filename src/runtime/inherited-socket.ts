import { CommandFailed } from './command-failed.ts'

/** The first number that is handed over: those before are the standard streams (sd_listen_fds). */
const firstNumber = 3

/**
 * The socket that systemd listens on for this process (socket activation: LISTEN_FDS, meant for the process LISTEN_PID), or
 * undefined when there is none.
 * @throws CommandFailed when there are several
 */
export function findInheritedSocket(
  environment: Readonly<Record<string, string | undefined>>,
  processId: number,
): { readonly fd: number } | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: meantFor } = environment
  if (count === undefined || meantFor !== String(processId)) return undefined
  if (count !== '1') {
    throw new CommandFailed(`LISTEN_FDS: one socket is taken, not ${count}; leave one ListenStream= in the socket unit`)
  }
  return { fd: firstNumber }
}
