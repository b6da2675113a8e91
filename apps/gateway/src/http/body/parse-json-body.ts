import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@tollgate/core';
import { JSON_MAXIMUM_DEPTH } from './body-limits.js';
import { isWithinDepth } from './json-depth.js';

const BYTE_ORDER_MARK = 0xfeff;

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
  if (!isWithinDepth(bytes, JSON_MAXIMUM_DEPTH)) {
    throw invalid(`The request body nests arrays and objects deeper than ${JSON_MAXIMUM_DEPTH} levels.`);
  }
  try {
    return JSON.parse(textOf(bytes));
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The request body is not valid JSON.', { cause });
  }
}
