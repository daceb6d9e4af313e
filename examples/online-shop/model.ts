/** Eight parts; each names those that it builds upon, and so the order shows by itself. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const part = (id: string, description: string, needs: readonly string[] = []) => ({
  id,
  description,
  tool: "model.write",
  args: {
    prompt: `${description}.`,
    ...(needs.length === 0
      ? {}
      : { context: Object.fromEntries(needs.map((need) => [need, { $ref: `${need}.output.text` }])) }),
  },
});

const plan = {
  reasoning: "Sign-in and catalog both need the database only; the cart brings them together.",
  steps: [
    part("database", "Set up the project structure and the database"),
    part("auth", "Implement user authentication", ["database"]),
    part("product", "Create the product catalog with its API", ["database"]),
    part("cart", "Build the shopping cart", ["auth", "product"]),
    part("checkout", "Add the checkout flow", ["cart"]),
    part("payment", "Integrate the payment provider", ["checkout"]),
    part("admin", "Build the admin dashboard", ["auth", "product"]),
    {
      id: "deploy",
      description: "Deploy the shop",
      tool: "files.write",
      args: { path: "deploy/shop.md", content: "{{payment.output.text}}\n{{admin.output.text}}" },
    },
  ],
  answerFrom: "payment",
};

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write: ({ blocks }) => `${(blocks.get("task") ?? "").trim()} Done.`,
};
