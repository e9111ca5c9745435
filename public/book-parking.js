// Shows the car while its plate is typed, and takes away what was said at the next edit or after 15 seconds. Without it the server does the same.
(() => {
  const form = document.forms[0];
  const plate = form.elements.licensePlate;
  const unknown = form.elements.notFoundPlate;
  const line = document.getElementById("car");
  const said = document.querySelector("[data-said]");
  let timer;

  const show = (text, isBad) => {
    line.textContent = text;
    line.className = isBad ? "car car-bad" : "car";
  };

  const ask = async (typed) => {
    const body = new URLSearchParams({ intent: "lookUpOwnCar", licensePlate: typed });
    const answer = await fetch("/book-parking?_data=routes%2Fbook-parking", { method: "POST", body });
    const { data } = answer.ok ? await answer.json() : {};
    if (!data || plate.value !== typed) return;
    if (data.car.kind === "found") show(data.car.text);
    if (data.car.kind === "notFound") {
      show(line.dataset.unknown, true);
      unknown.value = data.plate;
    }
  };

  plate.addEventListener("input", () => {
    clearTimeout(timer);
    show("");
    const typed = plate.value;
    if (typed.replace(/[\s-]/g, "").length >= 4) timer = setTimeout(() => ask(typed).catch(() => {}), 500);
  });

  const clear = () => {
    said.textContent = "";
    for (const error of form.querySelectorAll(".field-error")) error.remove();
    for (const field of form.querySelectorAll(".field-bad")) field.classList.remove("field-bad");
  };
  form.addEventListener("input", clear);
  if (said.querySelector(".tone-ok")) setTimeout(clear, 15000);
})();
