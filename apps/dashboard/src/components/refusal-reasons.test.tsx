import { renderPage, installDocument } from '../test-support/render-page';
import { screen } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { RefusalReasons } from './refusal-reasons';

installDocument();

it('each reason of refusals is shown in words, with its count, its code, and a link to what can be changed', async () => {
  const counts = [{ code: 'api_key_blocked', count: 1200 }, { code: 'internal_error', count: 1 }, { code: 'code_of_a_later_release', count: 2 }];
  await renderPage(<RefusalReasons counts={counts} renderAct={(cause) => <a href={`/${cause}`}>{cause}</a>} />);
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines).toEqual(['1,200 ×The key is blocked api_key_blockedkeys', '1 ×The gateway failed internal_error', '2 ×code_of_a_later_release ']);
});
