import { TOKEN_RATES } from '@tollgate/core';
import { z } from 'zod';
import { amount, fieldsOf, instant } from '../definition/field-schemas.js';

/** Rates by token class. */
export const rates = fieldsOf(TOKEN_RATES.map((rate) => rate.name), amount.describe('Service tokens for one token of this class.'));

/** A price list of the catalogue, for operators and machines. */
export const priceList = z.strictObject({
  id: z.string().describe('The id of the list in the catalogue.'),
  object: z.literal('price_list').describe('The kind of object.'),
  name: z.string().describe('The name of the list.'),
  entries: z.array(z.strictObject({
    from: instant.nullable().describe('When the entry comes into force; `null` for the first one.'),
    factor: amount.describe('What the standard prices of models without rates of their own are multiplied by.'),
    models: z.array(z.strictObject({ model: z.string().describe('The slug of the model.'), ...rates })).readonly().describe('Models with rates of their own.'),
  })).readonly().describe('Past, present and future entries, by date.'),
}).meta({ id: 'PriceList', description: 'Prices of some accounts, as the catalogue has them.' });
