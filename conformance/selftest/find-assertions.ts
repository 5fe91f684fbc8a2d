import ts from 'typescript'

/** One place of a rule file where a rule can find something out, and the file without it. */
export interface Mutant {
  /** What was taken out, on one line. */
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly source: string
  /** Ids of the rules that the place belongs to. */
  readonly rules: readonly string[]
}

const asserting = /^(expect|readSyncAnswer|readAccessToken)/

/** The name of the function that an expression calls, awaited or not. */
function calledName(node: ts.Node): string {
  if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) return calledName(node.expression)
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : ''
}

function isFindingThrown(node: ts.Node): boolean {
  return (
    ts.isThrowStatement(node) &&
    ts.isNewExpression(node.expression) &&
    node.expression.expression.getText() === 'Finding'
  )
}

/** What stands in the place of an assertion; undefined when the node is none. */
function replacementOf(node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node) && asserting.test(calledName(node.expression))) return ';'
  if (isFindingThrown(node)) return ';'
  const isBody = ts.isArrowFunction(node.parent ?? node) && (node.parent as ts.ArrowFunction).body === node
  return isBody && asserting.test(calledName(node)) ? 'undefined' : undefined
}

/** The id of the rule whose object literal holds a node. */
function findRuleAround(node: ts.Node): string | undefined {
  for (let outer: ts.Node | undefined = node; outer !== undefined; outer = outer.parent) {
    if (!ts.isObjectLiteralExpression(outer)) continue
    const id = outer.properties.find((property) => property.name?.getText() === 'id')
    if (id !== undefined && ts.isPropertyAssignment(id) && ts.isStringLiteral(id.initializer))
      return id.initializer.text
  }
  return undefined
}

/** Top-level names of a file and what each of them mentions. */
function readMentions(file: ts.SourceFile): ReadonlyMap<string, string> {
  const declared = file.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? '', statement.getText()] as const]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map((each) => [each.name.getText(), each.getText()] as const)
  })
  return new Map(declared)
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name.replace('$', '\\$')}\\b`).test(text)
}

/** Rules that use a helper, directly or through other helpers of the file. */
function findUsers(file: ts.SourceFile, helper: string, rules: ReadonlyMap<string, string>): readonly string[] {
  const declared = readMentions(file)
  const names = new Set([helper])
  for (const name of names) {
    for (const [other, text] of declared) if (mentions(text, name) && !/\bid: '/.test(text)) names.add(other)
  }
  return [...rules].filter(([, text]) => [...names].some((name) => mentions(text, name))).map(([id]) => id)
}

/** The rules of a file with their text. */
function readRules(file: ts.SourceFile): ReadonlyMap<string, string> {
  const rules = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    const id = ts.isObjectLiteralExpression(node) ? findRuleAround(node.getFirstToken() ?? node) : undefined
    if (id !== undefined && !rules.has(id)) rules.set(id, node.getText())
    ts.forEachChild(node, visit)
  }
  visit(file)
  return rules
}

/** Every assertion of a rule file, taken out one at a time. */
export function findAssertions(path: string, source: string): readonly Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2023, true)
  const rules = readRules(file)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node, helper: string | undefined): void => {
    const replacement = replacementOf(node)
    if (replacement !== undefined) {
      const [start, end] = [node.getStart(), node.getEnd()]
      const rule = findRuleAround(node)
      mutants.push({
        text: node.getText().replace(/\s+/g, ' '),
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        source: source.slice(0, start) + replacement + source.slice(end),
        rules: rule === undefined ? findUsers(file, helper ?? '', rules) : [rule],
      })
    }
    ts.forEachChild(node, (child) => visit(child, helper))
  }
  for (const statement of file.statements) {
    const [first] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
    const name = ts.isFunctionDeclaration(statement) ? statement.name?.text : first?.name.getText()
    visit(statement, name)
  }
  return mutants
}
