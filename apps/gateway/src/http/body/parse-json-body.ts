import { isUtf8 } from 'node:buffer';
import { GatewayError, parseJsonExactly, surveyJson } from '@tollgate/core';
import { DOCUMENT_FIELDS } from '@tollgate/wire-kit';
import { JSON_MAXIMUM_DEPTH } from './body-limits.js';

const BYTE_ORDER_MARK = 0xfeff;
/** The schema of a tool is this deep in a request, and nothing that is passed on as it was written is higher. */
const DOCUMENT_DEPTH = 4;
const SURVEY_TERMS = { maximumDepth: JSON_MAXIMUM_DEPTH, watchedDepth: DOCUMENT_DEPTH };

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** The JSON value a body holds. Throws `invalid_request` for anything that is not UTF-8, not JSON or nested too deep. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('The request body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw invalid('The request body is not valid UTF-8.');
  const text = textOf(bytes);
  const survey = surveyJson(text, SURVEY_TERMS);
  if (!survey.withinDepth) throw invalid(`The request body nests arrays and objects deeper than ${JSON_MAXIMUM_DEPTH} levels.`);
  try {
    return survey.printsTheSame ? JSON.parse(text) : parseJsonExactly(text, DOCUMENT_FIELDS);
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The request body is not valid JSON.', { cause });
  }
}
