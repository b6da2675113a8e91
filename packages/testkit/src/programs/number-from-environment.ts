/** The value of the variable as a number; `otherwise` if it is unset or empty. */
export function numberFromEnvironment(name: string, otherwise: number): number {
  const value = process.env[name];
  return value === undefined || value === '' ? otherwise : Number(value);
}
