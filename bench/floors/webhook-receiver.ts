import { serveFloor } from './serve-floor.ts'

/** A receiver that takes what it is sent at once; below `/hang/` it never answers. */
serveFloor((request, response) => {
  request.resume()
  if (request.url?.startsWith('/hang/') !== true) request.on('end', () => response.writeHead(204).end())
})
