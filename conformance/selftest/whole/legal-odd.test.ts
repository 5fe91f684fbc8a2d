import { testLegal } from '../legal-share.ts'

testLegal(1)
