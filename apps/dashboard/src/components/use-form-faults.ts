import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { type Fields, fieldErrors } from './form-errors';
import { byPosition, focusableIn } from './form-nodes';

type Errors = Readonly<Record<string, ReactNode>>;

/** The part of a form that `useFormFaults` uses. */
interface FaultyForm {
  readonly errors: Errors;
  readonly setErrors: (errors: Readonly<Record<string, string | undefined>>) => void;
}

interface FormFaults<Root extends HTMLElement> {
  /** Ref of the element that contains the fields. */
  readonly root: RefObject<Root | null>;
  /** Faults of fields that the form does not show now. */
  readonly hidden: readonly string[];
  /** For `form.onSubmit`: called when the page's own checks refuse the form. */
  readonly onRefused: () => void;
}

interface Refused {
  /** Error of the gateway's reply. */
  readonly error: unknown;
  readonly fields: Fields;
}

interface FaultyField {
  readonly text: string;
  /** Element of the field; `null` if the form does not show it. */
  readonly node: HTMLElement | null;
}

function faultyFields(root: HTMLElement, errors: Errors): readonly FaultyField[] {
  return Object.entries(errors).map(([field, text]) => ({ text: typeof text === 'string' ? text : '', node: root.querySelector<HTMLElement>(`[data-path="${CSS.escape(field)}"]`) }));
}

/** Focuses the first faulty field, or scrolls to the note above the form. */
function focusFirst(root: HTMLElement, faulty: readonly FaultyField[]): void {
  const [first] = faulty.flatMap(({ node }) => (node === null ? [] : [node])).toSorted(byPosition);
  if (first === undefined) root.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  else focusableIn(first)?.focus();
}

/** Shows each refusal once beside the fields it names, and focuses the first of these fields in the document. */
export function useFormFaults<Root extends HTMLElement>({ errors, setErrors }: FaultyForm, { error, fields }: Refused): FormFaults<Root> {
  const root = useRef<Root>(null);
  const spread = useRef<unknown>(null);
  const isRefused = useRef(false);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  useEffect(() => {
    if (error === null || error === undefined || error === spread.current) return;
    spread.current = error;
    isRefused.current = true;
    setErrors(fieldErrors(error, fields));
  }, [error, fields, setErrors]);
  // Runs once the errors are in the document.
  useEffect(() => {
    if (!isRefused.current || root.current === null) return;
    isRefused.current = false;
    const faulty = faultyFields(root.current, errors);
    setHidden(faulty.filter(({ node }) => node === null).map(({ text }) => text));
    focusFirst(root.current, faulty);
  }, [errors]);
  return { root, hidden, onRefused: () => { isRefused.current = true; } };
}
