import { types, type CustomTypesConfig } from 'pg';

const WHOLE_NUMBER_TYPES: ReadonlySet<number> = new Set([types.builtins.INT2, types.builtins.INT4, types.builtins.INT8]);

function toBigInt(text: string): bigint {
  return BigInt(text);
}

/** Reads whole numbers of every width as `bigint`, as the schema promises; everything else as the driver does. */
export const WHOLE_NUMBERS: CustomTypesConfig = {
  getTypeParser: (type, format) => (WHOLE_NUMBER_TYPES.has(type) ? toBigInt : types.getTypeParser(type, format)),
};
