import { gone, heading, shown } from '../driver/page-states.js';
import type { Check, CheckContext } from './check.js';

async function findsModels(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner());
  await page.goto('/dashboard/models');
  const unavailable = page.getByRole('link', { name: 'Sandbox Unavailable (simulated)', exact: true });
  await shown(unavailable);
  await page.getByRole('searchbox', { name: 'Search models' }).fill('simulated reasoning');
  await gone(unavailable);
  await page.getByRole('link', { name: 'Sandbox Reasoner (simulated)', exact: true }).click();
  await shown(heading(page, 'Sandbox Reasoner (simulated)'));
  await shown(page.getByText('text, pictures', { exact: true }));
  await page.goto('/dashboard/playground?model=sandbox-reasoner');
  await shown(page.getByRole('button', { name: 'Attach a picture' }));
  await page.goto('/dashboard/playground?model=sandbox-unavailable');
  await shown(page.getByText('This model does not read pictures.'));
  await gone(page.getByRole('button', { name: 'Attach a picture' }));
}

export const modelFacts: Check = {
  number: 36, title: 'An owner finds a model by its description, sees which kinds of input it reads, and can attach pictures only if it reads pictures', run: findsModels,
};
