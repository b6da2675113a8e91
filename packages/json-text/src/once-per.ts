/**
 * A cache that works a result out once for each object, for as long as the object is used. The result must depend on the object alone,
 * which therefore must not change; further arguments only say where the object stands.
 */
export function oncePer<Subject extends object, Place extends readonly unknown[], Result>(
  make: (subject: Subject, ...place: Place) => Result,
): (subject: Subject, ...place: Place) => Result {
  const made = new WeakMap<Subject, Result>();
  return (subject, ...place) => {
    const before = made.get(subject);
    if (before !== undefined) return before;
    const result = make(subject, ...place);
    made.set(subject, result);
    return result;
  };
}
