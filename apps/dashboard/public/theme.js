/* Sets the colour scheme before the first paint: the stored choice, else that of the system. */
(() => {
  let stored = null;
  try { stored = localStorage.getItem('scheme'); } catch { /* Storage is switched off. */ }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', stored === 'light' || stored === 'dark' ? stored : system);
})();
