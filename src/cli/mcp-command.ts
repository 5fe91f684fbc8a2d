import type { Command } from 'commander'

/** Adds `mcp`: a server of the Model Context Protocol, as a client of any server of the interface. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Let an assistant search and edit saved items, over the Model Context Protocol on standard input and output.',
    )
    .requiredOption('--base-url <URL>', 'URL of the server, such as https://things.example/; required.')
    .option('--token-file <FILE>', 'File with a personal access token. [default: the token in THINGSYNC_TOKEN]')
    .option(
      '--folder <DIR>',
      'Folder of the copy of the items; created when it is missing. [default: thingsync/mcp in the folder for user data]',
    )
    .option('--allow-delete', 'Also offer a tool that deletes items permanently.')
    .addHelpText(
      'after',
      `
An assistant starts this command; its configuration has these words. With a read-only token there are no tools that write.

The command is a client: it needs no data folder and works with a server on any machine. Searches also work without it.

Examples:
  thingsync token add assistant --user anna --read-only
  thingsync mcp --base-url https://things.example/ --token-file token.txt
  thingsync mcp --base-url http://127.0.0.1:8080/ --folder ./copy --allow-delete`,
    )
    .action(async (_options, command: Command) => {
      // Loaded here: only this command needs the SDK of the protocol.
      const { serveMcp } = await import('../mcp/serve-mcp.ts')
      await serveMcp({
        baseUrl: command.getOptionValue('baseUrl'),
        tokenFile: command.getOptionValue('tokenFile'),
        folder: command.getOptionValue('folder'),
        allowDelete: command.getOptionValue('allowDelete') === true,
      })
    })
}
