/** `npm start`: the whole system under one supervisor. */
export async function startCommand(_args: readonly string[]): Promise<number> {
  console.error("start: not built yet");
  return 1;
}
