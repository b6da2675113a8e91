export { hasHeader, textOfBase64 } from './base64-text.js';
export { argumentsObject, jsonDocument, type JsonPiece, JsonPieces, JsonText, parseExactly, type Printable, printBytes, printList, printObject, printObjectInPieces, type WrittenObject } from './exact-json.js';
export { oncePer } from './list-cache.js';
export { JsonParser, type JsonProblem, JsonRefusal, type ParsedJson, type ParserTerms } from './parse.js';
export { type JsonSize, measureJson } from './survey.js';
export { printerFor, writtenListOf } from './written-items.js';
export type { TextPrinter } from './written-texts.js';
