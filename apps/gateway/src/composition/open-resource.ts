/** Opens a resource; rejects once closing has begun. Resources are closed in reverse order; one that is still being opened is awaited first. */
export async function openResource<Resource>(resources: AsyncDisposableStack, open: () => Promise<Resource>, close: (resource: Resource) => Promise<void>): Promise<Resource> {
  if (resources.disposed) throw new Error('no resource can be opened while the gateway closes');
  const opening = open();
  resources.defer(async () => {
    const [outcome] = await Promise.allSettled([opening]);
    if (outcome.status === 'fulfilled') await close(outcome.value);
  });
  return opening;
}
