export { argumentsObject, JsonText, type Printable, printList, printObject } from './exact/print.js';
export { jsonDocument, parseExactly, type WrittenObject } from './exact/written-object.js';
export { oncePer } from './once-per.js';
export { JsonParser, type JsonProblem, JsonRefusal, type ParsedJson, type ParserTerms } from './parse.js';
export { type JsonPiece, JsonPieces, printObjectInPieces } from './verbatim/pieces.js';
export { printerFor } from './verbatim/source.js';
export type { TextPrinter } from './verbatim/written-texts.js';
