/** The optional packages that an entry of a lockfile names and no other entry provides. */
export function missingOptionalPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isProvided(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Looks where Node would: in the package's own node_modules, then in that of each folder above it. */
function isProvided(packages, path, name) {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true;
  if (path === '') return false;
  const above = path.lastIndexOf('/node_modules/');
  return isProvided(packages, above === -1 ? '' : path.slice(0, above), name);
}
