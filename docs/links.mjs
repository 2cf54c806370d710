// A preprocessor of mdBook: links that leave docs/ become links to the repository, because the book has only the pages of docs/.
import { readFileSync } from "node:fs";

if (process.argv[2] === "supports") process.exit(0);
const files = `https://github.com/${process.env.ROLLBOOK_OWNER || "rollbook"}/rollbook/blob/main/`;
const turn = ({ Chapter }) => {
    if (!Chapter) return;
    Chapter.content = Chapter.content.replaceAll("](../", `](${files}`);
    Chapter.sub_items.forEach(turn);
};
const [, book] = JSON.parse(readFileSync(0, "utf8"));
book.items.forEach(turn);
console.log(JSON.stringify(book));
