export { argumentsObject, type JsonPiece, JsonPieces, JsonText, type Printable, printList, printObject, printObjectInPieces } from './exact/print.js';
export { jsonDocument, parseExactly, type WrittenObject } from './exact/written-object.js';
export { oncePer } from './list-cache.js';
export { JsonParser, type JsonProblem, JsonRefusal, type ParsedJson, type ParserTerms } from './parse.js';
export { printerFor } from './verbatim/written-items.js';
export type { TextPrinter } from './verbatim/written-texts.js';
