/** Makes a function that works its result out once for each object, for as long as the object is used. It must depend on nothing else. */
export function oncePer<Subject extends object, Result>(make: (subject: Subject) => Result): (subject: Subject) => Result {
  const made = new WeakMap<Subject, Result>();
  return (subject) => {
    const before = made.get(subject);
    if (before !== undefined) return before;
    const result = make(subject);
    made.set(subject, result);
    return result;
  };
}
