import { expect, it } from '@jest/globals';
import { cheapestFirst, type OfferedModel } from './model-order.js';

it('models of the plan come first, the cheapest of them at the top', () => {
  const model = (id: string, prompt: string, output: string, inPlan = true) => ({ id, in_plan: inPlan, pricing: { prompt, output } }) as OfferedModel;
  const models = [model('large', '3', '15'), model('other-plan', '0.1', '0.1', false), model('b', '0.5', '1.5'), model('a', '0.50', '1.5'), model('small', '0.000000000000000001', '1.9')];
  expect(cheapestFirst(models).map(({ id }) => id)).toEqual(['small', 'a', 'b', 'large', 'other-plan']);
});
