import { join } from 'node:path'

/** What a language needs to run its SDK on this machine. */
export type Toolchain = {
  /** Programs that must be there, each with the argument that makes it print its version. */
  needs: readonly { program: string; version: readonly string[]; install: string }[]
  /** Commands that install packages and build, run in the SDK's folder. */
  prepare: readonly (readonly string[])[]
  /** The command that answers calls, run in the SDK's folder. */
  run: readonly string[]
}

const venv = '.venv/bin/python'

/** How each SDK is built and run; the order is that of the table in `docs/sdk.md`. */
export const toolchains: Readonly<Record<string, Toolchain>> = {
  typescript: {
    needs: [{ program: 'node', version: ['--version'], install: 'Node 20.19 or later' }],
    prepare: [[process.execPath, join(process.cwd(), 'node_modules/typescript/bin/tsc'), '-p', '.']],
    run: [process.execPath, '--import', 'tsx', 'runner.ts'],
  },
  python: {
    needs: [{ program: 'python3', version: ['--version'], install: 'apt-get install python3 python3-venv' }],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      [venv, '-m', 'pip', 'install', '--quiet', '--editable', '.'],
    ],
    run: [venv, 'runner.py'],
  },
  go: {
    needs: [{ program: 'go', version: ['version'], install: 'Go 1.23 or later' }],
    prepare: [['go', 'build', '-o', 'build/runner', './runner']],
    run: ['build/runner'],
  },
  java: {
    needs: [
      { program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' },
      { program: 'mvn', version: ['--version'], install: 'apt-get install maven' },
    ],
    prepare: [
      [
        'mvn',
        ...['--batch-mode', '--quiet', 'test-compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
      ],
    ],
    run: ['java', '-cp', 'target/classes:target/test-classes:target/lib/*', 'thingsync.Runner'],
  },
  kotlin: {
    needs: [
      { program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' },
      // Fetches the compiler, too.
      { program: 'mvn', version: ['--version'], install: 'apt-get install maven' },
    ],
    prepare: [
      [
        'mvn',
        ...['--batch-mode', '--quiet', 'test-compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
      ],
    ],
    // Kotlin reads its input in the charset of the machine, which is ASCII where no language is set.
    run: ['java', '-Dfile.encoding=UTF-8', '-cp', 'target/classes:target/test-classes:target/lib/*', 'RunnerKt'],
  },
  rust: {
    needs: [{ program: 'cargo', version: ['--version'], install: 'Rust 1.88 or later, by rustup' }],
    // Without a TLS library, which plain HTTP on this machine does not need.
    prepare: [['cargo', 'build', '--quiet', '--example', 'runner', '--no-default-features']],
    run: ['target/debug/examples/runner'],
  },
  php: {
    needs: [
      { program: 'php', version: ['--version'], install: 'apt-get install php-cli php-mbstring php-guzzlehttp-guzzle' },
    ],
    // Guzzle comes from Debian, so that no other registry is asked; users take it from Composer.
    prepare: [['php', '-r', 'require "GuzzleHttp/autoload.php"; exit(function_exists("mb_strlen") ? 0 : 1);']],
    run: ['php', 'runner.php'],
  },
  ruby: {
    needs: [{ program: 'ruby', version: ['--version'], install: 'apt-get install ruby ruby-typhoeus' }],
    // Typhoeus comes from Debian, so that no other registry is asked; users take it from their own.
    prepare: [['ruby', '-I', 'lib', '-e', 'require "thingsync_wire"']],
    run: ['ruby', '-I', 'lib', 'runner.rb'],
  },
}
