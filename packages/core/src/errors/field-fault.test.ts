import { expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { checkFields, type FieldFault, MAX_FIELD_FAULTS, refuseField, refuseFields } from './field-fault.js';
import { GatewayError } from './gateway-error.js';

const EMPTY = { code: 'empty' } as const;

function fail(field: string): () => never {
  return () => { throw refuseField(field, 'must not be empty', EMPTY); };
}

it('a refused field is named in the message, in param and in the list of faults', () => {
  expect(refuseField('name', 'must not be empty', EMPTY)).toMatchObject({
    code: 'invalid_request', message: 'name: must not be empty.', param: 'name', faults: [{ field: 'name', message: 'must not be empty', problem: EMPTY }],
  });
});

it('all checks are made, and one refusal lists the faults that they found', async () => {
  const checks = checkFields(() => 1, fail('name'), () => Promise.resolve('two'), async () => fail('email')());
  await expect(checks).rejects.toMatchObject({ param: 'name', faults: [{ field: 'name' }, { field: 'email' }] });
});

it('the results of the checks are returned in the order of the checks', async () => {
  expect(await checkFields(() => 1, () => Promise.resolve('two'))).toEqual([1, 'two']);
});

it('an error that names no field is thrown, and no further check is made', async () => {
  const later: string[] = [];
  await expect(checkFields(fail('name'), () => { throw new GatewayError('conflict', 'Taken.'); }, () => later.push('made'))).rejects.toMatchObject({ code: 'conflict' });
  expect(later).toEqual([]);
});

it('a refusal lists a limited number of faults', () => {
  const fault = (position: number): FieldFault => ({ field: `field_${position}`, message: 'is wrong', problem: EMPTY });
  const others = Array.from({ length: 50 }, (_, position) => fault(position));
  expect(refuseFields([fault(99), ...others]).faults).toHaveLength(MAX_FIELD_FAULTS);
  expect(refusalOf(fail('name'))?.param).toBe('name');
});
