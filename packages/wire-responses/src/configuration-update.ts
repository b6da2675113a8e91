import { decodeObject, type Decoder, decodeReplyFormat, decodeString, type Fields, optional } from '@tollgate/wire-kit';

/** Parameters that `configuration_update` items set for their own request and for later ones that continue it. */
export interface ConfigurationUpdate {
  readonly effort: string | null;
  /** The client's `text.format`, validated and unchanged; `null` for none. */
  readonly format: unknown;
}

export const NO_UPDATE: ConfigurationUpdate = { effort: null, format: null };

const decodeEffort: Decoder<string | null> = (value, within, key) => optional(decodeObject(value, within, key), 'effort', decodeString);

const decodeFormat: Decoder<unknown> = (value, within, key) => {
  const text = decodeObject(value, within, key);
  return optional(text, 'format', decodeReplyFormat) === null ? null : text.values['format'];
};

/** The update after an item. What the item does not state keeps its value. */
export function updatedBy({ effort, format }: ConfigurationUpdate, item: Fields): ConfigurationUpdate {
  return { effort: optional(item, 'reasoning', decodeEffort) ?? effort, format: optional(item, 'text', decodeFormat) ?? format };
}

/** The object with this member set. Returns values of other types unchanged, so that their decoder refuses them. */
function having(value: unknown, member: Readonly<Record<string, unknown>>): unknown {
  const isChanged = value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
  return isChanged ? { ...value, ...member } : value;
}

/** The body with the parameters of the update instead of its own. */
export function withUpdate(body: Fields, { effort, format }: ConfigurationUpdate): Fields {
  if (effort === null && format === null) return body;
  const { reasoning, text } = body.values;
  return {
    ...body,
    values: {
      ...body.values,
      ...(effort === null ? {} : { reasoning: having(reasoning, { effort }) }),
      ...(format === null ? {} : { text: having(text, { format }) }),
    },
  };
}
