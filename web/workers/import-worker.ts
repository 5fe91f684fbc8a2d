import { type FilesToRead, readFiles } from '../transfer/read-files.ts'

// The worker that reads files, so that the page stays responsive.
addEventListener('message', ({ data }: MessageEvent<FilesToRead>) => {
  void readFiles(data, (message) => postMessage(message))
})
