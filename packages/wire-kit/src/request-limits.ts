import { GatewayError, type RequestLimitName, type RequestLimits } from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';
import { decodeArray, decodeListOf, type Decoder, type FieldPath, pathOf } from './decode-fields.js';

/** Items of one request in the responses format, unless more messages are allowed: agents send each call and each result as one. */
export const DEFAULT_ITEMS = 2_000;

/** The most items of one request in the responses format, those of the responses that it continues included. */
export function itemsWithin({ messages }: RequestLimits): number {
  return Math.max(DEFAULT_ITEMS, messages);
}

/** What is too much in a request, and how much of it there is. */
interface Excess {
  readonly within: FieldPath | null;
  readonly key: string | number;
  readonly name: RequestLimitName;
  readonly most: number;
  /** What the limit bounds: "messages". */
  readonly noun: string;
  readonly count: number;
}

/** The refusal of a request that exceeds a limit which the operator may raise. */
export function beyondLimit({ within, key, name, most, noun, count }: Excess): GatewayError {
  const param = pathOf(within, key);
  const message = `'${param}' must have at most ${most} ${noun}, but has ${count}. The operator of this gateway can raise this limit.`;
  return new GatewayError('invalid_request', message, { param, requestLimit: { name, most } });
}

const LIST_NOUNS = { messages: 'messages', tools: 'tools', stopSequences: 'stop sequences' } as const satisfies Partial<Record<RequestLimitName, string>>;

/** Like `decodeListOf`, for a list that a limit bounds: the list is at fault where it has more. */
export function decodeListWithin<T>(limits: RequestLimits, name: keyof typeof LIST_NOUNS, decodeItem: Decoder<T>): Decoder<readonly T[]> {
  const [decode, most, noun] = [decodeListOf(decodeItem), limits[name], LIST_NOUNS[name]];
  return (value, within, key) => {
    const { length: count } = decodeArray(value, within, key);
    if (count > most) throw beyondLimit({ within, key, name, most, noun, count });
    return decode(value, within, key);
  };
}

/** Makes decoders once for the limits of a catalogue: what they remember was decoded within the same limits. */
export function decodersWithin<Decoders>(make: (limits: RequestLimits) => Decoders): (limits: RequestLimits) => Decoders {
  return oncePer<RequestLimits, [], Decoders>(make);
}
