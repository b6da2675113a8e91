import { expect, it } from '@jest/globals';
import { CommonPasswordList } from '@tollgate/adapters-node';
import { isMadeOfAddress, PasswordRules } from '@tollgate/identity';

const ANN = 'ann.example+x@big-company.co.uk';

it.each(['password', 'PassWord', '12345678', 'qwertyuiop'])('%s is refused as too common', async (typed) => {
  await expect(new PasswordRules(new CommonPasswordList()).require(typed, 'new_password', ANN)).rejects.toMatchObject({ code: 'invalid_request', param: 'new_password' });
});

it.each([ANN, 'ann.example', 'annexample123', 'Example2026!', '3x4mpl3!!', 'bigcompany1', 'company-ann', 'ex4mp1e99', 'xyzexample'])('%s is refused as derived from the e-mail address', async (typed) => {
  expect(isMadeOfAddress(typed, ANN)).toBe(true);
  await expect(new PasswordRules(new CommonPasswordList()).require(typed, 'password', ANN)).rejects.toMatchObject({ param: 'password' });
});

it.each(['correct horse', 'annabel and the lion', 'staple of another kind', '8237 4612 9981', 'counter-example one'])('%s is accepted as a password', async (typed) => {
  expect(await new PasswordRules(new CommonPasswordList()).require(typed, 'password', ANN)).toBe(typed);
});

it('a long password is compared with a long address in linear time', () => {
  expect(isMadeOfAddress('a1'.repeat(64), `${'a'.repeat(60)}@${'b.'.repeat(90)}test`)).toBe(false);
});
