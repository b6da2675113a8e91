import { GatewayError, type RequestLimitName, type RequestLimits } from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';
import { decodeArray, decodeListOf, type Decoder, type FieldPath, pathOf } from './decode-fields.js';

/** Maximum items of a responses request, unless the limit on messages is higher. Agents send each call and each result as an item. */
export const DEFAULT_ITEMS = 2_000;

/** Maximum items of a request, including those of continued responses. */
export function itemsWithin({ messages }: RequestLimits): number {
  return Math.max(DEFAULT_ITEMS, messages);
}

interface Excess {
  readonly within: FieldPath | null;
  readonly key: string | number;
  readonly name: RequestLimitName;
  readonly most: number;
  /** Plural name of what is limited, such as "messages". */
  readonly noun: string;
  readonly count: number;
}

/** The refusal of a list or text that exceeds a limit which the operator may raise. */
export function beyondLimit({ within, key, name, most, noun, count }: Excess): GatewayError {
  const param = pathOf(within, key);
  const message = `'${param}' must have at most ${most} ${noun}, but has ${count}. The operator of this gateway can raise this limit.`;
  return new GatewayError('invalid_request', message, { param, requestLimit: { name, most } });
}

const LIST_NOUNS = { messages: 'messages', tools: 'tools', stopSequences: 'stop sequences' } as const satisfies Partial<Record<RequestLimitName, string>>;

/** Decodes a list with a limit. If the limit is exceeded, the error names the list. */
export function decodeListWithin<T>(limits: RequestLimits, name: keyof typeof LIST_NOUNS, decodeItem: Decoder<T>): Decoder<readonly T[]> {
  const [decode, most, noun] = [decodeListOf(decodeItem), limits[name], LIST_NOUNS[name]];
  return (value, within, key) => {
    const { length: count } = decodeArray(value, within, key);
    if (count > most) throw beyondLimit({ within, key, name, most, noun, count });
    return decode(value, within, key);
  };
}

/** Creates decoders once per limits object of a catalogue, so that their caches never mix limits. */
export function decodersWithin<Decoders>(make: (limits: RequestLimits) => Decoders): (limits: RequestLimits) => Decoders {
  return oncePer<RequestLimits, [], Decoders>(make);
}
