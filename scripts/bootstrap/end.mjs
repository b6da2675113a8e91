/** Ends the process with the exit code the work resolves to, or with 1 and one line when it cannot be done. */
export async function endWith(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
