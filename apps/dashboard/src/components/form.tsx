import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Fields } from './form-errors';
import { FormProblem } from './form-problem';
import { useFormFaults } from './use-form-faults';

interface FormProps<Values extends object> {
  readonly form: UseFormReturnType<Values>;
  /** Error of the last attempt to send the form. */
  readonly error: unknown;
  readonly fields: Fields;
  readonly className?: string | undefined;
  readonly onSubmit: (values: Values) => void;
  readonly children: ReactNode;
}

/**
 * Shows all faults at once, those of the page and those of the gateway: each beside its field, or above the form if the form does not show the field.
 */
export function Form<Values extends object>({ form, error, fields, className, onSubmit, children }: FormProps<Values>) {
  const { root, hidden, onRefused } = useFormFaults<HTMLFormElement>(form, { error, fields });
  return (
    <form ref={root} noValidate className={className} onSubmit={form.onSubmit((values) => onSubmit(values), onRefused)}>
      <FormProblem error={error} fields={fields} hidden={hidden} />
      {children}
    </form>
  );
}
