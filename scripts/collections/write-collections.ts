import { parse } from 'yaml'
import { readOperations } from './read-operations.ts'
import { writeBruno } from './write-bruno.ts'
import { writePostman } from './write-postman.ts'

/** Where the collections are kept. */
export const collectionFolder = 'sdk/collections'
/** The Postman collection, and the folder of the Bruno collection. */
export const collectionPaths = {
  postman: `${collectionFolder}/thingsync.postman_collection.json`,
  bruno: `${collectionFolder}/bruno`,
}

/** The files of both collections, from the text of the SDK profile. */
export function writeCollections(profile: string): Map<string, string> {
  const document = parse(profile)
  const operations = readOperations(document)
  const files = [...writeBruno(document.info.title, operations)]
  return new Map([
    [collectionPaths.postman, writePostman(document.info.title, operations)],
    ...files.map(([name, text]) => [`${collectionPaths.bruno}/${name}`, text] as const),
  ])
}
