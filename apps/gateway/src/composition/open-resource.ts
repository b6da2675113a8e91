/**
 * Opens a resource, which closes with the others of a stack in reverse order. One that is still being opened when the stack closes is
 * awaited and then closed; afterwards nothing is opened any more.
 */
export async function openResource<Resource>(resources: AsyncDisposableStack, open: () => Promise<Resource>, close: (resource: Resource) => Promise<void>): Promise<Resource> {
  if (resources.disposed) throw new Error('the gateway closes what it has opened');
  const opening = open();
  resources.defer(async () => {
    const [outcome] = await Promise.allSettled([opening]);
    if (outcome.status === 'fulfilled') await close(outcome.value);
  });
  return opening;
}
