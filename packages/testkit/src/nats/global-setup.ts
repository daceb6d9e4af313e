/** Finds the nats-server of a test run, once. */
export default async function setup(): Promise<void> {}
